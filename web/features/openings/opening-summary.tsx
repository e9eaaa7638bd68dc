import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { Button } from '@mantine/core'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { aliasOf } from './opening-labels.ts'
import parts from './opening-parts.module.css'
import type { OpeningForm } from './use-opening-form.ts'

const dash = '\u2013'

/** A summary of the account to open, visible while the form is filled in, with any error beside the button. */
export function OpeningSummary({ form, kind }: { form: OpeningForm; kind: AccountKind }) {
  const { t } = useTranslation()
  const { values: draft, platform } = form
  return (
    <aside className={formPage.summary} aria-label={t('Summary')}>
      <div>
        <p className={formPage.summaryTitle}>{t('You open')}</p>
        <p className={parts.kind}>{kind === 'live' ? t('A live account') : t('A demo account')}</p>
      </div>
      <div className={formPage.summaryFacts}>
        <Facts
          facts={[
            { name: t('Platform'), value: platform?.name ?? dash },
            { name: t('Group'), value: draft.group === null ? dash : aliasOf(platform ? [platform] : [], draft.group) },
            {
              name: t('Leverage'),
              value: draft.leverage === null ? dash : t('1:{{leverage}}', { leverage: draft.leverage }),
            },
            { name: t('Type of funds'), value: kind === 'live' ? t('Real funds') : t('Demo funds') },
          ]}
        />
      </div>
      <Refusal
        messages={form.refusal}
        isUnknown={form.isUnknown}
        unknown={t(
          'We got no answer, so the account may or may not have been opened. Send it again unchanged: it can only be opened once.',
        )}
      />
      <Button type="submit" size="md" loading={form.isSubmitting}>
        {kind === 'live' ? t('Open live account') : t('Open demo account')}
      </Button>
    </aside>
  )
}
