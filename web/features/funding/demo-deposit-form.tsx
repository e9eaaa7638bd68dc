import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money.ts'
import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import formPage from '../../ui/form-page.module.css'
import { readerLanguage } from '../../ui/format.ts'
import { MoneyInput } from '../../ui/money-input.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { AccountSelect, type SelectableAccount } from './account-select.tsx'
import type { DemoDepositField } from './demo-deposit-draft.ts'
import { Refusal } from './refusal.tsx'
import { type DemoDeposit, useDemoDaily } from './use-demo-deposit.ts'

type FormProps = {
  form: DemoDeposit
  accounts: SelectableAccount[]
  accountId: string | null
  currency: string | null
  onAccount: (id: string) => void
  fieldRef: (field: DemoDepositField) => (element: HTMLElement | null) => void
}

/** Account, amount, a word about it: practice money needs no more. */
export function DemoDepositFields({ form, accounts, accountId, currency, onAccount, fieldRef }: FormProps) {
  const { t } = useTranslation()
  const { errors, values } = form
  return (
    <>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Demo Account')}</legend>
        <AccountSelect
          accounts={accounts}
          chosen={accountId}
          error={errors.account}
          onChoose={onAccount}
          inputRef={fieldRef('account') as Ref<HTMLInputElement>}
        />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Demo funds')}</legend>
        <MoneyInput
          ref={fieldRef('amount') as Ref<HTMLInputElement>}
          label={t('Amount')}
          required
          value={values.amount}
          currency={currency}
          error={errors.amount && t(errors.amount)}
          says={(money) => t('You add {{money}}', { money })}
          onChange={(amount) => form.change({ amount })}
        />
        <Textarea
          ref={fieldRef('comment') as Ref<HTMLTextAreaElement>}
          label={t('Comment')}
          required
          autosize
          minRows={2}
          charsMax={limits.commentCharsMax}
          value={values.comment}
          error={errors.comment && t(errors.comment)}
          onChange={(event) => form.change({ comment: event.currentTarget.value })}
        />
      </fieldset>
    </>
  )
}

/** What practice money is, how much of it there is, and the button. */
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
