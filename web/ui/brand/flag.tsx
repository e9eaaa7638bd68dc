import parts from './flag.module.css'
import { flagAddress } from './flag-addresses.ts'

/** A country's flag; decorative beside the country's name, so it has no accessible name. */
export function Flag({ code }: { code: string | null }) {
  const address = code ? flagAddress(code) : undefined
  if (!address) return null
  return <img className={parts.flag} src={address} alt="" width={20} height={14} loading="lazy" />
}
