import parts from './flag.module.css'

/** URLs of the flags by country code; a flag is loaded when it is displayed. */
const files = import.meta.glob<string>('../../../node_modules/country-flag-icons/3x2/??.svg', {
  query: '?url',
  import: 'default',
  eager: true,
})

const addresses = new Map(Object.entries(files).map(([path, address]) => [path.slice(-6, -4), address]))

export function FlagPicture({ code }: { code: string }) {
  const address = addresses.get(code.toUpperCase())
  return address && <img className={parts.flag} src={address} alt="" width={20} height={14} loading="lazy" />
}
