import { beneficiaryLimits } from '@atrium/contract/banking/beneficiary-limits.ts'
import { deleteBankAccount } from '@atrium/contract/banking/calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { BankAccountDialog } from '../../features/banking/bank-account-dialog.tsx'
import { useBankAccountColumns } from '../../features/banking/bank-accounts-table.tsx'
import { CompanyBanks } from '../../features/banking/company-banks.tsx'
import { type BankAccount, bankAccounts, useDeletion } from '../../features/banking/use-banking.ts'
import { useSession } from '../../features/session/session.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useEverywhere } from '../shell/everywhere.tsx'

export function BankAccountsPage() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const at = useList(bankAccounts, { to: '/funds/bank-accounts', ...inPlace })
  const { openComplaint } = useEverywhere()
  const { settings } = useSession()
  const deletion = useDeletion(deleteBankAccount)
  const [edited, setEdited] = useState<BankAccount | 'new' | null>(null)
  const askToDelete = async (account: BankAccount) => {
    const { bank_name, account_holder, currency } = account
    const yes = await confirm({
      title: t(beneficiaryTexts.deleteBank),
      body: [bank_name, account_holder, currency].join(' \u00b7 '),
      action: t('Delete'),
      isDangerous: true,
    })
    if (yes) deletion.mutate({ id: account._id })
  }
  const columns = useBankAccountColumns({ onEdit: setEdited, onDelete: askToDelete })
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.5} />} onClick={() => setEdited('new')}>
      {t('Add Bank Account')}
    </Button>
  )
  return (
    <Page title={t('Bank Accounts')} help={t('Where your withdrawals are paid to.')} actions={add}>
      <ListRows
        at={at}
        label={t('Bank Accounts')}
        columns={columns}
        empty={<EmptyState drawing="accounts" title={t(beneficiaryTexts.noAccounts)} />}
        footer={<ListPages at={at} />}
      />
      <CompanyBanks onContact={openComplaint} />
      <BankAccountDialog
        account={edited}
        nameCharsMax={settings.bank_name_chars_max ?? beneficiaryLimits.bankNameCharsMax}
        onClose={() => setEdited(null)}
      />
    </Page>
  )
}
