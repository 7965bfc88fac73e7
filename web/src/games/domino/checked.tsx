import { UprightTile } from "./tile.tsx";

/** Tiles of a check's report, by their codes. */
export function CheckedTiles({ codes }: { readonly codes: readonly string[] }) {
  return (
    <span class="check-faces" role="img" aria-label={codes.join(", ")}>
      {codes.map((code) => {
        const [low = 0, high = 0] = code.split("-").map(Number);
        return <UprightTile key={code} low={low} high={high} />;
      })}
    </span>
  );
}
