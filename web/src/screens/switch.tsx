import type { Signal } from "@preact/signals";

interface SwitchProps {
  readonly id: string;
  readonly label: string;
  readonly setting: Signal<boolean>;
}

/** A setting that is on or off. */
export function Switch({ id, label, setting }: SwitchProps) {
  return (
    <label class="setting">
      <input
        id={id}
        type="checkbox"
        checked={setting.value}
        onChange={(event) => (setting.value = event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
