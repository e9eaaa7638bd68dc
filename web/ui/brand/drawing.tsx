import type { ReactNode } from 'react'

/** Small line drawings for empty and error states, with one coloured stroke as the focus. */
export function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      width="96"
      height="72"
      viewBox="0 0 96 72"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {children}
    </svg>
  )
}

/** In a separate export: the first page may have to show a failed load. */
export const broken = (
  <Drawing>
    <path d="M14 50c8 0 8-26 18-26s8 20 14 20" />
    <path d="M82 22c-8 0-8 26-18 26" opacity=".6" />
    <path d="M52 30v10M52 47v.5" className="accent" />
  </Drawing>
)
