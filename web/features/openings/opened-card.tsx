import type { OpenedAccount } from '@atrium/contract/openings/calls.ts'
import { useEffect, useRef } from 'react'
import { DoneMark } from '../../ui/feedback/done-mark.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { platformTitle } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './opening-parts.module.css'

type OpenedCardProps = { account: OpenedAccount; alias: string; isDepositOpen: boolean }

/** The new account, and what to do next. */
export function OpenedCard({ account, alias, isDepositOpen }: OpenedCardProps) {
  const { t } = useTranslation()
  const title = useRef<HTMLHeadingElement>(null)
  // The focused form is gone: moving the focus lets a screen reader announce the result, and a phone scroll to it.
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const { currency, live_account, starting_balance } = account
  return (
    <Card className={parts.result}>
      <div className={parts.resultHead}>
        <DoneMark />
        <h2 ref={title} tabIndex={-1} className={parts.resultTitle}>
          {live_account ? t('Your live account is open') : t('Your demo account is open')}
        </h2>
        <p className={parts.resultText}>
          {account.trading_platform.server
            ? t('Sign in to {{platform}} with this server, this login and the password that you chose.', {
                platform: platformTitle(account.platform_type),
              })
            : t('Sign in to {{platform}} with this login and the password that you chose.', {
                platform: platformTitle(account.platform_type),
              })}
        </p>
      </div>
      <Facts
        facts={[
          { name: t('Login'), value: account.platform_login, copy: account.platform_login },
          {
            name: t('Server'),
            value: account.trading_platform.server,
            copy: account.trading_platform.server ?? undefined,
          },
          { name: t('Platform'), value: account.trading_platform.name },
          { name: t('Group'), value: alias },
          { name: t('Leverage'), value: t('1:{{leverage}}', { leverage: account.leverage }) },
          { name: t('Currency'), value: currency },
          { name: t('Balance'), value: <Amount amount={starting_balance ?? account.balance} currency={currency} /> },
        ]}
      />
      {starting_balance !== null && (
        <p className={parts.resultText}>{t('The starting balance arrives within a few seconds.')}</p>
      )}
      <div className={parts.ways} data-group="sm">
        {isDepositOpen && live_account && (
          <LinkButton to="/funds/deposit/{-$accountId}" params={{ accountId: account._id } as never}>
            {t('Make a deposit')}
          </LinkButton>
        )}
        <LinkButton to="/accounts/$accountId" params={{ accountId: account._id } as never} variant="default">
          {t('See this account')}
        </LinkButton>
        <LinkButton to="/accounts" variant="default">
          {t('All accounts')}
        </LinkButton>
      </div>
    </Card>
  )
}
