import parts from './logo.module.css'

/** A square picture beside a name; decorative, in fixed sizes. */
export function Logo({ url, size }: { url: string | null | undefined; size: 20 | 28 | 36 }) {
  if (!url) return null
  return <img className={parts.logo} src={url} alt="" width={size} height={size} />
}
