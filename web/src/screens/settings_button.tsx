import { open } from "../app/controller.ts";
import { words } from "../i18n/index.ts";

/** Opens the settings: a wheel, with its name for who does not see it. */
export function SettingsButton() {
  const name = words.value.settings.title;
  return (
    <button class="quiet icon-button" type="button" title={name} onClick={() => open("settings")}>
      <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path
          d="M10.3 2h3.4l.5 2.6 1.6.7 2.2-1.5 2.4 2.4-1.5 2.2.7 1.6 2.6.5v3.4l-2.6.500-.7 1.6 1.5 2.2-2.4 2.4-2.2-1.5-1.6.7-.5 2.6h-3.4l-.5-2.6-1.6-.7-2.2 1.5-2.4-2.4 1.5-2.2-.7-1.6L2 13.7v-3.4l2.6-.5.7-1.6-1.5-2.2 2.4-2.4 2.2 1.5 1.6-.7zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z"
          fill-rule="evenodd"
        />
      </svg>
      <span class="unseen">{name}</span>
    </button>
  );
}
