import { Select } from '../../ui/fields/select.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './deposit/deposit-form.module.css'

/** A trading account as the selector needs it; the page prepares it. */
export type SelectableAccount = {
  id: string
  label: string
  /** The text of the selected account: its label and balance. */
  whole: string
  platform: string
  balance: string | null
  currency: string
  isBalanceShown: boolean
}

/** Shorter lists need no search. */
const searchableFrom = 8

type AccountSelectProps = {
  accounts: SelectableAccount[]
  chosen: string | null
  error: string | undefined
  onChoose: (id: string) => void
}

export function AccountSelect({ accounts, chosen, error, onChoose }: AccountSelectProps) {
  const { t } = useTranslation()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return (
    <Select
      label={t('Trading account')}
      placeholder={t('Choose an account')}
      required
      allowDeselect={false}
      searchable={accounts.length > searchableFrom}
      nothingFoundMessage={t('No account found')}
      data={accounts.map(({ id, whole }) => ({ value: id, label: whole }))}
      value={chosen}
      error={error}
      onChange={(id) => id !== null && onChoose(id)}
      renderOption={({ option }) => {
        const account = byId.get(option.value)
        return (
          <span className={parts.option}>
            <span data-stack="none">
              <span>{account?.label}</span>
              <span className={parts.quiet}>{account?.platform}</span>
            </span>
            {account?.isBalanceShown && <Amount amount={account.balance} currency={account.currency} />}
          </span>
        )
      }}
    />
  )
}
