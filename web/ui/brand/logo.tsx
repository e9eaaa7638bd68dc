import parts from './logo.module.css'

/** Somebody's picture beside their name, which says the same: a square tile, the same size for everybody. */
export function Logo({ url, size }: { url: string | null | undefined; size: 20 | 28 | 36 }) {
  if (!url) return null
  return <img className={parts.logo} src={url} alt="" width={size} height={size} />
}
