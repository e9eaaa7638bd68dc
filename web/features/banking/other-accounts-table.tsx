import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AddressCell } from './address-cell.tsx'
import parts from './banking.module.css'
import { CoolingOffNote } from './cooling-off.tsx'
import { wordOfType } from './other-account-labels.ts'
import { dash, RowActions } from './row-actions.tsx'
import type { OtherAccount } from './use-banking.ts'

type OtherAccountsTableProps = {
  rows: OtherAccount[] | undefined
  action: ReactNode
  onEdit: (account: OtherAccount) => void
  onDelete: (account: OtherAccount) => void
}

export function OtherAccountsTable({ rows, action, onEdit, onDelete }: OtherAccountsTableProps) {
  const { t } = useTranslation()
  const columns: Column<OtherAccount>[] = [
    {
      key: 'name',
      header: t('Name'),
      onPhone: 'top',
      skeletonWidth: 140,
      render: ({ name, usable_from }) => (
        <span className={parts.names}>
          <span className={parts.name} title={name}>
            {name}
          </span>
          <CoolingOffNote usableFrom={usable_from} />
        </span>
      ),
    },
    { key: 'type', header: t('Type'), skeletonWidth: 48, render: ({ type }) => t(wordOfType(type)) },
    {
      key: 'provider',
      header: t('Provider'),
      skeletonWidth: 90,
      render: ({ provider }) => (
        <span className={parts.long} title={provider}>
          {provider || dash}
        </span>
      ),
    },
    {
      key: 'address',
      header: t('Address/ID'),
      skeletonWidth: 180,
      render: (account) => <AddressCell account={account} />,
    },
    {
      key: 'currency',
      header: t('Preferred currency'),
      skeletonWidth: 40,
      render: ({ preferred_currency }) => preferred_currency || dash,
    },
    {
      key: 'action',
      header: t('Actions'),
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 48,
      render: (account) => (
        <RowActions name={account.name} onEdit={() => onEdit(account)} onDelete={() => onDelete(account)} />
      ),
    },
  ]
  return (
    <DataTable
      label={t('Other Accounts')}
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      empty={<EmptyState drawing="accounts" title={t(beneficiaryTexts.noAccounts)} action={action} />}
    />
  )
}
