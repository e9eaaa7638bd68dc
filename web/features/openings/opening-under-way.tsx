import type { OpeningUnderWay as Opening } from '@atrium/contract/openings/calls.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './opening-parts.module.css'

/** In progress or verifying: shown neither as failed nor as open until the outcome is known. */
export function OpeningUnderWay({ opening, alias }: { opening: Opening; alias: string }) {
  const { t } = useTranslation()
  const isChecked = opening.state === 'checking'
  return (
    <Card className={parts.result}>
      <div className={parts.resultHead} role="status">
        <StatusPill meaning="blue" isMoving label={isChecked ? t('Verifying') : t('Being opened')} />
        <h2 className={parts.resultTitle}>
          {opening.kind === 'live' ? t('Your live account') : t('Your demo account')}
        </h2>
        <p className={parts.resultText}>
          {isChecked
            ? t(openingTexts.openingVerifying)
            : t('The trading platform is opening it. This takes a few seconds.')}
        </p>
      </div>
      <Facts
        facts={[
          { name: t('Platform'), value: opening.trading_platform.name },
          { name: t('Group'), value: alias },
          { name: t('Leverage'), value: t('1:{{leverage}}', { leverage: opening.leverage }) },
          { name: t('Requested'), value: <Moment at={opening.created_at} /> },
        ]}
      />
      {isChecked && (
        <p className={parts.resultText}>
          {t('This usually takes a few minutes. You do not need to wait here: we will email you as soon as we know.')}
        </p>
      )}
      <div className={parts.ways} data-group="sm">
        <LinkButton to="/accounts" variant="default">
          {t('All accounts')}
        </LinkButton>
      </div>
    </Card>
  )
}
