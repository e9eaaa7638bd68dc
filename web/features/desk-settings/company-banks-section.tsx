import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { FormSection } from '../../ui/layout/work-page.tsx'
import rows from '../../ui/lists/rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CompanyBankDialog } from './company-bank-dialog.tsx'
import parts from './settings.module.css'
import { type CompanyBank, useArchiving, useCompanyBanks } from './use-company-banks.ts'

/** The bank accounts for members' deposits. Each change applies immediately and requires a proof of identity. */
export function CompanyBanksSection() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const banks = useCompanyBanks()
  const archiving = useArchiving()
  const [edited, setEdited] = useState<CompanyBank | 'new' | null>(null)
  const askToArchive = async (bank: CompanyBank) => {
    const yes = await confirm({
      title: t('Archive {{bank}}, {{currency}}?', { bank: bank.bank_name, currency: bank.currency }),
      body: t('Members are no longer asked to pay to it. Existing deposits keep it.'),
      action: t('Archive'),
      isDangerous: true,
    })
    if (yes) archiving.mutate(bank._id)
  }
  return (
    <FormSection
      title={t('Company bank accounts')}
      help={t('Members see them by currency and pay to them. Changes here ask you to confirm that it is you.')}
    >
      {banks.error && !banks.data && <ErrorState error={banks.error} onRetry={() => banks.refetch()} />}
      {!banks.data && !banks.error && <FormSkeleton label={t('Loading the bank accounts')} />}
      {banks.data?.length === 0 && <p className={parts.quiet}>{t('Nothing yet: members are asked to contact you.')}</p>}
      <ul className={rows.list} aria-label={t('Company bank accounts')}>
        {banks.data?.map((bank) => (
          <li key={bank._id} className={`${rows.row} ${rows.wrapping}`}>
            <span className={rows.grow}>
              <span className={rows.strong}>
                {bank.bank_name} <Tag label={bank.currency} />
              </span>
              <span className={rows.quiet}>
                {[bank.account_holder, bank.iban_number ?? bank.bank_account, bank.swift]
                  .filter(Boolean)
                  .join(' \u00b7 ')}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              aria-label={t('Change {{name}}', { name: `${bank.bank_name}, ${bank.currency}` })}
              onClick={() => setEdited(bank)}
            >
              {t('Change')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              aria-label={t('Archive {{name}}', { name: `${bank.bank_name}, ${bank.currency}` })}
              onClick={() => askToArchive(bank)}
            >
              {t('Archive')}
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {t('Add a bank account')}
        </Button>
      </div>
      <CompanyBankDialog bank={edited} onClose={() => setEdited(null)} />
    </FormSection>
  )
}
