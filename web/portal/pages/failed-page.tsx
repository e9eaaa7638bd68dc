import { FailedScreen } from '../../ui/feedback/failed-screen.tsx'

type FailedProps = { error: unknown; reset: () => void }

/** Replaces the whole page, frame included. */
export function FailedPage(props: FailedProps) {
  return (
    <main>
      <FailedSection {...props} />
    </main>
  )
}

/** Replaces one screen inside the frame, which continues to work. */
export function FailedSection({ error, reset }: FailedProps) {
  return <FailedScreen error={error} reset={reset} />
}
