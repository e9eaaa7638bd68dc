import type { DownloadsQuery } from '../../api/generated/graphql.ts'

type Account = NonNullable<DownloadsQuery['current_member']>['accounts'][number]
type Platform = Account['trading_platform']
export type Download = Platform['downloads'][number]
export type PlatformDownloads = Platform & { accounts: Pick<Account, '_id' | 'platform_login' | 'live_account'>[] }

/** Each platform once with the member's accounts on it, ordered by its first account. */
export function byPlatform(accounts: Account[]): PlatformDownloads[] {
  const found = new Map<string, PlatformDownloads>()
  for (const { trading_platform, ...account } of accounts) {
    const platform = found.get(trading_platform._id) ?? { ...trading_platform, accounts: [] }
    platform.accounts.push(account)
    found.set(trading_platform._id, platform)
  }
  return [...found.values()]
}

/** Allows only http and https links, whatever was saved. */
export function safeLink(link: string | null | undefined): string | null {
  if (!link || !URL.canParse(link)) return null
  return ['https:', 'http:'].includes(new URL(link).protocol) ? link : null
}
