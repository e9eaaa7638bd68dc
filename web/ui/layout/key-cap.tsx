import { Kbd } from '@mantine/core'

/** The key of a button's shortcut; screen readers get it from `aria-keyshortcuts`. */
export function KeyCap({ letter }: { letter: string }) {
  return (
    <Kbd size="xs" aria-hidden>
      {letter}
    </Kbd>
  )
}
