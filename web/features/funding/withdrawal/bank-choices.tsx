import { Callout } from '../../../ui/feedback/state.tsx'
import { ChoiceCard } from '../../../ui/fields/choice-card.tsx'
import { Facts } from '../../../ui/layout/facts.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from '../deposit/deposit-form.module.css'
import type { CompanyBank, OwnBank } from '../transfer-banks.ts'

/** Bank name, account holder and currency in upper case: the label that the specification demands. */
export const bankLabel = (bank: Pick<OwnBank, 'bank_name' | 'account_holder' | 'currency'>) =>
  [bank.bank_name, bank.account_holder, bank.currency.toUpperCase()].join(' \u00b7 ')

type BeneficiaryProps = {
  banks: CompanyBank[]
  currency: string | null
  /** The payment reference by which we recognise the transfer. */
  reference: string | null
  chosen: string | null
  error: string | undefined
  onChoose: (id: string) => void
}

/** The company's accounts in the account's currency, with every detail ready to copy. */
export function BeneficiaryChoices({ banks, currency, reference, chosen, error, onChoose }: BeneficiaryProps) {
  const { t } = useTranslation()
  const fitting = banks.filter((bank) => bank.currency === currency)
  return (
    <div role="radiogroup" aria-labelledby="destination-label" aria-required aria-invalid={error !== undefined}>
      <p className={parts.label} id="destination-label">
        {t('Destination account')}
        <span className={parts.required} aria-hidden>
          {'*'}
        </span>
      </p>
      {currency === null && (
        <Callout meaning="grey">{t('Choose a trading account first: where to pay depends on its currency.')}</Callout>
      )}
      {currency !== null && fitting.length === 0 && (
        <Callout meaning="amber">
          {t('There is no company account for {{currency}} yet. Please contact support.', { currency })}
        </Callout>
      )}
      <div data-stack="sm">
        {fitting.map((bank) => (
          <ChoiceCard
            key={bank._id}
            group="destination"
            name={bank.bank_name}
            about={`${bank.account_holder} \u00b7 ${bank.currency}`}
            isChosen={chosen === bank._id}
            isWrong={error !== undefined}
            onChoose={() => onChoose(bank._id)}
          >
            <Facts
              facts={[
                copied(t('Bank Name'), bank.bank_name),
                copied(t('Beneficiary Name'), bank.account_holder),
                copied(t('IBAN'), bank.iban_number),
                copied(t('Account'), bank.bank_account),
                copied(t('Swift Code'), bank.swift),
                copied(t('Sort Code'), bank.sort_code),
                copied(t('Identifier'), bank.identifier),
                copied(t('Transfer reference'), reference),
                { name: t('Address'), value: bank.address_line_1 },
                { name: t('Notes'), value: bank.notes },
              ]}
            />
          </ChoiceCard>
        ))}
      </div>
      {error && <p className={parts.error}>{error}</p>}
    </div>
  )
}

const copied = (name: string, value: string | null) => ({ name, value, copy: value ?? undefined })
