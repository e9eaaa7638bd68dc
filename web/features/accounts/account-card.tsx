import { IconPlus } from '@tabler/icons-react'
import { LinkButton, TextLink } from '../../ui/layout/link-button.tsx'
import { MovingAmount } from '../../ui/money/moving-amount.tsx'
import { LiveItem } from '../../ui/money/while-visible.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { takesDeposits } from './account-labels.ts'
import { AccountLocation } from './account-location.tsx'
import parts from './account-parts.module.css'
import { AccessTag, BalanceTime, KindTag, PlatformMark } from './account-parts.tsx'
import type { Account } from './use-accounts.ts'

type AccountCardProps = { account: Account; isSyncing: boolean; isDepositOpen: boolean }

export function AccountCard(props: AccountCardProps) {
  const { t } = useTranslation()
  return (
    <LiveItem className={parts.card} aria-label={t('Account {{login}}', { login: props.account.platform_login })}>
      <CardContent {...props} />
    </LiveItem>
  )
}

function CardContent({ account, isSyncing, isDepositOpen }: AccountCardProps) {
  const { t } = useTranslation()
  const { currency } = account
  return (
    <>
      <div className={parts.top} data-group="sm" data-nowrap data-align="center" data-justify="between">
        <span className={parts.who}>
          <PlatformMark type={account.platform_type} />
          <span>
            <TextLink
              to="/accounts/$accountId"
              params={{ accountId: account._id } as never}
              className={parts.login ?? ''}
              underline="never"
              aria-label={t('Open account {{login}}', { login: account.platform_login })}
            >
              {account.platform_login}
            </TextLink>
            <div className={parts.quiet}>{account.trading_platform.name}</div>
          </span>
        </span>
        <span>
          <KindTag account={account} /> <AccessTag account={account} />
        </span>
      </div>
      <div className={parts.balance}>
        <p className={parts.name}>{t('Balance')}</p>
        <MovingAmount amount={account.balance} currency={currency} size="large" />
        {!isSyncing && (
          <div>
            <BalanceTime account={account} />
          </div>
        )}
      </div>
      <div className={parts.metrics} data-group="md">
        <div>
          <p className={parts.name}>{t('Equity')}</p>
          <p className={parts.metric}>
            <MovingAmount amount={account.equity} currency={currency} />
          </p>
        </div>
        <div>
          <p className={parts.name}>{t('Floating P&L')}</p>
          <p className={parts.metric}>
            <MovingAmount amount={account.trade_info?.floating_pnl} currency={currency} isResult />
          </p>
        </div>
      </div>
      <div className={parts.foot}>
        <AccountLocation account={account} />
        <span>{t('1:{{leverage}}', { leverage: account.leverage })}</span>
        {isDepositOpen && takesDeposits(account) && (
          <LinkButton
            to="/funds/deposit/$accountId"
            params={{ accountId: account._id } as never}
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.5} />}
            aria-label={t('Deposit to account {{login}}', { login: account.platform_login })}
          >
            {t('Deposit')}
          </LinkButton>
        )}
      </div>
    </>
  )
}
