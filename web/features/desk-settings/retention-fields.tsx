import type { SectionValues } from '@atrium/contract/workspace-settings/desk-calls.ts'
import {
  type ChosenTime,
  chosenDays,
  chosenTimes,
  type FixedTime,
  fixedDays,
  fixedTimes,
} from '@atrium/contract/workspaces/retention.ts'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './settings.module.css'

type TimeLabel = { label: string; help: string }

const chosenLabels: Record<ChosenTime, TimeLabel> = {
  notification_days: {
    label: 'Messages of payment providers and identity vendors',
    help: 'As received: they contain email addresses and names. The results are kept.',
  },
  session_days: { label: 'Ended sessions', help: 'Times, addresses and devices of sign-ins.' },
  mail_days: {
    label: 'Sent emails',
    help: 'Recipient and time. The content is deleted after delivery.',
  },
  notice_days: { label: 'Notifications', help: 'The messages under the bell of the portal.' },
  draft_days: {
    label: 'Form drafts',
    help: 'From the last change on, with the files that were uploaded for them.',
  },
  paper_days: {
    label: 'Documents of erased members',
    help: 'From the erasure on: identity documents and accepted terms. The law requires five to ten years.',
  },
}

const fixedLabels: Record<FixedTime, string> = {
  known_devices: 'Known browsers',
  password_resets: 'Password links',
  reset_requests: 'Requests for password links',
  unused_files: 'Unused uploads',
  figures_of_minutes: 'Equity of accounts, every reading',
  figures_of_hours: 'Equity of accounts, hourly readings (daily ones are kept)',
  ended_jobs: 'Completed background jobs',
}

type Values = SectionValues<'security'>
type RetentionFieldsProps = {
  values: Values
  change: (part: Partial<Values>) => void
  errorOf: (field: ChosenTime) => string | undefined
}

/** Retention periods: those that the brokerage sets, then the fixed ones. */
export function RetentionFields({ values, change, errorOf }: RetentionFieldsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={`${parts.group} ${parts.times}`}>
      <legend className={parts.legend}>{t('Retention in days')}</legend>
      <p className={parts.quiet}>
        {t('Expired data is deleted automatically and can only be restored from a backup.')}
      </p>
      {chosenTimes.map((time) => (
        <NumberField
          key={time}
          label={t(chosenLabels[time].label)}
          description={`${t(chosenLabels[time].help)} ${t('From {{min}} to {{max}}. Recommended: {{usual}}.', chosenDays[time])}`}
          value={values[time]}
          error={errorOf(time)}
          onChange={(days) => change({ [time]: days ?? Number.NaN })}
        />
      ))}
      <details className={parts.fixed}>
        <summary>{t('Fixed retention')}</summary>
        <Facts
          facts={fixedTimes.map((time) => ({
            name: t(fixedLabels[time]),
            value: fixedDays[time] === 1 ? t('1 day') : t('{{days}} days', { days: fixedDays[time] }),
          }))}
        />
        <p className={parts.quiet}>
          {t(
            'Transactions, accounts, decisions, documents and the audit log are kept, as the law requires. Erasing a member removes personal data from them.',
          )}
        </p>
      </details>
    </fieldset>
  )
}
