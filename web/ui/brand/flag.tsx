import { usePart } from '../lazy/use-part.ts'
import parts from './flag.module.css'

const picture = async () => (await import('./flag-picture.tsx')).FlagPicture

/**
 * A country's flag; decorative beside the country's name, so it has no accessible name. The addresses of all flags are 8 kB, and
 * no page waits for them.
 */
export function Flag({ code }: { code: string | null }) {
  const Picture = usePart(picture, { isAsked: code !== null, onMissing: () => undefined })
  if (!code) return null
  return Picture ? <Picture code={code} /> : <span className={parts.flag} />
}
