import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'
import { type CompanyBank, useCompanyBanks } from './use-banking.ts'

/** The brokerage's bank accounts by currency, with every detail ready to copy. */
export function CompanyBanks({ onContact }: { onContact: (() => void) | null }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCompanyBanks()
  return (
    <Section title={t('Company bank accounts')}>
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : !data ? (
        <div aria-busy="true">
          <Skeleton height={220} radius="lg" />
        </div>
      ) : data.length === 0 ? (
        <Card>
          <EmptyState
            drawing="list"
            title={t(beneficiaryTexts.noCompanyAccounts)}
            action={
              onContact && (
                <Button variant="default" onClick={onContact}>
                  {t('Contact support')}
                </Button>
              )
            }
          />
        </Card>
      ) : (
        byCurrency(data).map(([currency, banks]) => <CurrencyGroup key={currency} currency={currency} banks={banks} />)
      )}
    </Section>
  )
}

function byCurrency(banks: CompanyBank[]): [string, CompanyBank[]][] {
  const groups = Map.groupBy(banks, ({ currency }) => currency)
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1))
}

function CurrencyGroup({ currency, banks }: { currency: string; banks: CompanyBank[] }) {
  const { t } = useTranslation()
  const copied = (name: string, value: string | null) => ({ name, value, copy: value ?? undefined })
  return (
    <div className={parts.currency}>
      <h3 className={parts.currencyName}>{currency}</h3>
      <div className={parts.banks}>
        {banks.map((bank) => (
          <Card key={bank._id} data-pad="sm lg">
            <Facts
              facts={[
                copied(t('Bank Name'), bank.bank_name),
                copied(t('Beneficiary Name'), bank.account_holder),
                copied(t('Account'), bank.bank_account),
                copied(t('Swift Code'), bank.swift),
                copied(t('Sort Code'), bank.sort_code),
                copied(t('IBAN'), bank.iban_number),
                copied(t('Identifier'), bank.identifier),
                copied(t('Address'), bank.address_line_1),
                { name: t('Notes'), value: bank.notes },
              ]}
            />
          </Card>
        ))}
      </div>
    </div>
  )
}
