/** Atrium's own mark: a doorway with light falling through it. */
export function AtriumMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="Atrium">
      <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
      <path
        d="M9 24V15a7 7 0 0 1 14 0v9"
        fill="none"
        stroke="var(--accent-on-fill)"
        strokeWidth="2.25"
        strokeLinecap="round"
      />
      <path
        d="M16 24v-8.5"
        fill="none"
        stroke="var(--accent-on-fill)"
        strokeWidth="2.25"
        strokeLinecap="round"
        opacity="0.55"
      />
    </svg>
  )
}
