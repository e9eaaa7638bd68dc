import { matches } from '@atrium/contract/search/words.ts'
import type { SearchSource } from '../search/source.ts'
import { listAccounts, readPlatforms } from './queries.ts'

/** Finds accounts by login, group and its alias, currency, platform, city, and live or demo. */
export const accountSource: SearchSource = {
  group: 'accounts',
  scope: 'my_accounts',
  async find(tx, member, query) {
    const [accounts, platforms] = [await listAccounts(tx, member), await readPlatforms(tx, member)]
    const aliasOf = (platformId: string, group: string) =>
      platforms.find(({ id }) => id === platformId)?.groups.find(({ name }) => name === group)?.alias ?? ''
    return accounts
      .map((account) => {
        const kind = account.live_account ? 'Live' : 'Demo'
        const alias = aliasOf(account.platform_id, account.group_name)
        const words = [account.platform_login, alias, account.group_name, account.currency, account.platform_name]
        return { account, kind, alias, words: [...words, account.city ?? '', kind] }
      })
      .filter(({ words }) => matches(query, words))
      .map(({ account, kind, alias }) => ({
        _id: account.account_id,
        title: `#${account.platform_login}`,
        facts: [account.platform_name, alias, kind, account.currency].filter((fact) => fact !== ''),
      }))
  },
}
