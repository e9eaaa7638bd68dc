import { Flag } from '../../ui/brand/flag.tsx'
import parts from './account-parts.module.css'
import type { Account } from './use-accounts.ts'

/** In its own module, because it imports the URLs of all flags. */
export function AccountLocation({ account }: { account: Pick<Account, 'city' | 'country' | 'country_alpha2'> }) {
  const where = [account.city, account.country].filter(Boolean).join(', ')
  if (where === '') return <span>{'\u2013'}</span>
  return (
    <span className={parts.place} title={where}>
      <Flag code={account.country_alpha2} />
      {account.city ?? account.country}
    </span>
  )
}
