import { deleteFundAccount } from '@atrium/contract/banking/calls.ts'
import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { OtherAccountDialog } from '../../features/banking/other-account-dialog.tsx'
import { OtherAccountsTable } from '../../features/banking/other-accounts-table.tsx'
import { type OtherAccount, useDeletion, useOtherAccounts } from '../../features/banking/use-banking.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

export function OtherAccountsPage() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { data, error, refetch } = useOtherAccounts()
  const deletion = useDeletion(deleteFundAccount)
  const [edited, setEdited] = useState<OtherAccount | 'new' | null>(null)
  const askToDelete = async ({ _id, name, provider }: OtherAccount) => {
    const yes = await confirm({
      title: t(beneficiaryTexts.deleteAccount),
      body: [name, provider].join(' \u00b7 '),
      action: t('Delete'),
      isDangerous: true,
    })
    if (yes) deletion.mutate({ id: _id })
  }
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.5} />} onClick={() => setEdited('new')}>
      {t('Add Account')}
    </Button>
  )
  return (
    <Page
      title={t('Other Accounts')}
      help={t('Wallets and accounts with payment services that your withdrawals are paid to.')}
      actions={add}
    >
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <OtherAccountsTable rows={data} action={null} onEdit={setEdited} onDelete={askToDelete} />
      )}
      <OtherAccountDialog account={edited} onClose={() => setEdited(null)} />
    </Page>
  )
}
