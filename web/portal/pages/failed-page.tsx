import { FailedScreen } from '../../ui/feedback/failed-screen.tsx'

type FailedProps = { error: unknown; reset: () => void }

/** The whole page, frame included. */
export function FailedPage(props: FailedProps) {
  return (
    <main>
      <FailedSection {...props} />
    </main>
  )
}

/** One screen inside of the frame, which goes on working. */
export function FailedSection({ error, reset }: FailedProps) {
  return <FailedScreen error={error} reset={reset} />
}
