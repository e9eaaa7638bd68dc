import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import type { BeneficiaryField, DeskWithdrawal } from '@atrium/contract/withdrawals/desk-calls.ts'
import { AttachedPicture } from '../../ui/files/attached-picture.tsx'
import type { Fact } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './withdrawals-page.module.css'

const fieldLabels: Record<BeneficiaryField, string> = knownOr(otherLabel, {
  account_holder: 'Account holder',
  iban_number: 'IBAN',
  bank_account: 'Account number',
  swift: 'BIC',
  bank_name: 'Bank',
  bank_branch: 'Bank branch',
  routing_number: 'Routing number',
  bank_address: 'Bank address',
  country: 'Country',
  currency: 'Beneficiary currency',
  name: 'Beneficiary name',
  provider: 'Provider',
  address: 'Address',
  address_tag: 'Tag',
  notes: 'Notes',
})

/** The beneficiary's fields, each copyable, with its QR code; without fields, the text stored with the withdrawal. */
export function useBeneficiaryFacts({ destination_fields, destination_qr, destination_text }: DeskWithdrawal): Fact[] {
  const { t } = useTranslation()
  const wrapped = (text: string) => <bdi className={parts.wrapped}>{text}</bdi>
  if (destination_fields.length > 0)
    return [
      ...destination_fields.map(({ name, value }) => ({
        name: t(fieldLabels[name]),
        value: wrapped(value),
        copy: value,
      })),
      {
        name: t('QR code'),
        value: destination_qr && (
          <>
            <AttachedPicture picture={destination_qr} name={t('QR code')} side={160} />{' '}
            <span className={parts.line}>
              {t('Uploaded by the member. Compare it with the address before you pay.')}
            </span>
          </>
        ),
      },
    ]
  return destination_text ? [{ name: t('Paid to'), value: wrapped(destination_text), copy: destination_text }] : []
}
