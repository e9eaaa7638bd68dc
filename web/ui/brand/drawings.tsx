import type { ReactNode } from 'react'
import { broken, Drawing } from './drawing.tsx'

export const drawings = {
  broken,
  accounts: (
    <Drawing>
      <rect x="14" y="14" width="56" height="40" rx="6" />
      <path d="M26 66h44a12 12 0 0 0 12-12V28" opacity=".6" />
      <path d="M24 44l10-10 8 7 16-15" className="accent" />
    </Drawing>
  ),
  list: (
    <Drawing>
      <rect x="16" y="10" width="64" height="52" rx="6" />
      <path d="M26 24h20M26 36h28M26 48h16" opacity=".6" />
      <path d="M62 24h8M60 36h10M64 48h6" className="accent" />
    </Drawing>
  ),
  search: (
    <Drawing>
      <path d="M16 18h30M16 32h18M16 46h22" opacity=".6" />
      <circle cx="58" cy="36" r="15" />
      <path d="M69 47l11 11" className="accent" />
    </Drawing>
  ),
  door: (
    <Drawing>
      <path d="M28 62V30a20 20 0 0 1 40 0v32" />
      <path d="M16 62h64" opacity=".6" />
      <path d="M48 62V32" className="accent" />
    </Drawing>
  ),
  soon: (
    <Drawing>
      <circle cx="48" cy="36" r="24" />
      <path d="M48 22v14l9 6" className="accent" />
      <path d="M12 36h4M80 36h4" opacity=".6" />
    </Drawing>
  ),
} satisfies Record<string, ReactNode>

export type DrawingName = keyof typeof drawings
