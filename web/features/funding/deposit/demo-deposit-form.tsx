import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { Button } from '@mantine/core'
import { Refusal } from '../../../ui/feedback/refusal.tsx'
import { Textarea } from '../../../ui/fields/text-area.tsx'
import formPage from '../../../ui/forms/form-page.module.css'
import { MoneyInput } from '../../../ui/money/money-input.tsx'
import { readerLanguage } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { AccountSelect, type SelectableAccount } from '../account-select.tsx'
import { type DemoDeposit, useDemoDaily } from './use-demo-deposit.ts'

type FormProps = {
  form: DemoDeposit
  accounts: SelectableAccount[]
  accountId: string | null
  currency: string | null
  onAccount: (id: string) => void
}

/** Demo funds need only an account, an amount and a comment. */
export function DemoDepositFields({ form, accounts, accountId, currency, onAccount }: FormProps) {
  const { t } = useTranslation()
  const { values, errorOf } = form
  return (
    <>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Demo Account')}</legend>
        <AccountSelect accounts={accounts} chosen={accountId} error={errorOf('account')} onChoose={onAccount} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Demo funds')}</legend>
        <MoneyInput
          label={t('Amount')}
          required
          value={values.amount}
          currency={currency}
          error={errorOf('amount')}
          describe={(money) => t('You add {{money}}', { money })}
          onChange={(amount) => form.change({ amount })}
        />
        <Textarea
          label={t('Comment')}
          required
          autosize
          minRows={2}
          charsMax={limits.commentCharsMax}
          value={values.comment}
          error={errorOf('comment')}
          onChange={(event) => form.change({ comment: event.currentTarget.value })}
        />
      </fieldset>
    </>
  )
}

/** Explains demo funds and their limit, above the submit button. */
export function DemoDepositSummary({ form, currency }: { form: DemoDeposit; currency: string | null }) {
  const { t } = useTranslation()
  const daily = useDemoDaily()
  return (
    <aside className={formPage.summary} aria-label={t('Summary')}>
      <p className={formPage.summaryTitle}>{t('Demo funds')}</p>
      <p>{t('It is credited at once, costs nothing and cannot be withdrawn.')}</p>
      {daily !== undefined && currency !== null && (
        <p>
          {t('Up to {{amount}} {{currency}} within 24 hours.', {
            amount: formatAmount(daily, currency, readerLanguage()),
            currency,
          })}
        </p>
      )}
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button type="submit" size="md" loading={form.isSubmitting}>
        {t('CREATE DEPOSIT')}
      </Button>
    </aside>
  )
}
