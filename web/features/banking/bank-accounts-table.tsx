import { Flag } from '../../ui/brand/flag.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { CoolingOffNote } from './cooling-off.tsx'
import { dash, RowActions } from './row-actions.tsx'
import type { BankAccount } from './use-banking.ts'

type Actions = { onEdit: (account: BankAccount) => void; onDelete: (account: BankAccount) => void }

export function useBankAccountColumns({ onEdit, onDelete }: Actions): Column<BankAccount>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'bank',
      header: t('Bank name'),
      onPhone: 'top',
      skeletonWidth: 140,
      render: (account) => (
        <span className={parts.names}>
          <span className={parts.name} title={account.bank_name}>
            {account.bank_name}
          </span>
          <CoolingOffNote usableFrom={account.usable_from} />
        </span>
      ),
    },
    {
      key: 'holder',
      header: t('Account holder'),
      skeletonWidth: 110,
      render: ({ account_holder }) => (
        <span className={parts.long} title={account_holder}>
          {account_holder}
        </span>
      ),
    },
    {
      key: 'number',
      header: t('IBAN/Account'),
      skeletonWidth: 160,
      render: (account) => <AccountNumber account={account} />,
    },
    { key: 'currency', header: t('Currency'), skeletonWidth: 32, render: ({ currency }) => currency },
    {
      key: 'country',
      header: t('Country'),
      skeletonWidth: 80,
      render: ({ country }) =>
        country ? (
          <span className={parts.country}>
            <Flag code={country.alpha_2} />
            {country.name}
          </span>
        ) : (
          dash
        ),
    },
    { key: 'swift', header: t('Swift/BIC'), skeletonWidth: 80, render: ({ swift }) => swift || dash },
    {
      key: 'action',
      header: t('Action'),
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 48,
      render: (account) => (
        <RowActions
          name={`${account.bank_name}, ${account.currency}`}
          onEdit={() => onEdit(account)}
          onDelete={() => onDelete(account)}
        />
      ),
    },
  ]
}

/** The IBAN in groups of four; any other account number as entered. */
function AccountNumber({ account: { iban_number, bank_account } }: { account: BankAccount }) {
  const printed = iban_number?.replace(/(.{4})(?=.)/g, '$1 ')
  const number = printed ?? bank_account ?? dash
  return (
    <span className={`${parts.long} ${parts.number}`} title={number}>
      <bdi>{number}</bdi>
    </span>
  )
}
