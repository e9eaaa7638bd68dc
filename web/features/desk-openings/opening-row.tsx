import { Button } from '@mantine/core'
import { IconZoomScan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { toast } from '../../ui/feedback/toast.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { OpeningHead, OpeningMore } from './opening-facts.tsx'
import { isInDoubt } from './opening-labels.ts'
import parts from './openings.module.css'
import { type OpeningRow as Row, useLookUpOpeningAgain } from './use-openings.ts'

type OpeningRowProps = { opening: Row; mayDecide: boolean; onEnd: () => void }

export function OpeningRow({ opening, mayDecide, onEnd }: OpeningRowProps) {
  return (
    <div className={`${parts.row} ${parts.spaced}`}>
      <OpeningHead opening={opening} />
      <span className={parts.more}>
        <Whose opening={opening} />
        <OpeningMore opening={opening} />
        <LastLookUp opening={opening} />
      </span>
      {mayDecide && isInDoubt(opening.state) && (
        <span className={parts.act ?? ''}>
          {opening.state === 'unknown' && <EndApplication opening={opening} onEnd={onEnd} />}{' '}
          <LookUpAgain opening={opening} />
        </span>
      )}
    </div>
  )
}

function Whose({ opening: { member, account_id } }: { opening: Row }) {
  const { t } = useTranslation()
  return (
    <span className={parts.whose}>
      <Link to="/members/{-$memberId}" params={{ memberId: member._id }}>
        {t('{{name}}, customer {{number}}', { name: member.name, number: member.customer_number })}
      </Link>
      {account_id && (
        <>
          {' · '}
          <Link to="/trading-accounts/$accountId" params={{ accountId: account_id }}>
            {t('The account')}
          </Link>
        </>
      )}
    </span>
  )
}

/** The last search, shown only while the outcome is in doubt. */
function LastLookUp({ opening: { state, looked_at, asked_again_at } }: { opening: Row }) {
  const { t } = useTranslation()
  if (!isInDoubt(state)) return null
  const isAwaited = asked_again_at !== null && (looked_at ?? 0) < asked_again_at
  if (looked_at === null && !isAwaited) return null
  return (
    <span className={parts.why}>
      {looked_at !== null && (
        <>
          {t('Not found at the last check')} <Ago at={looked_at} />
        </>
      )}
      {looked_at !== null && isAwaited && ' · '}
      {isAwaited && (
        <>
          {t('Another check was requested')} <Ago at={asked_again_at} />
        </>
      )}
    </span>
  )
}

function LookUpAgain({ opening }: { opening: Row }) {
  const { t } = useTranslation()
  const lookUp = useLookUpOpeningAgain(opening._id)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconZoomScan size={16} stroke={1.5} aria-hidden />}
      loading={lookUp.isPending}
      aria-label={t('Check again: {{tag}}', { tag: opening.tag })}
      onClick={() =>
        lookUp.mutate(undefined, {
          onSuccess: () => toast.done(t('The platform is being searched. Nothing is sent again.')),
          onError: (error) => toast.refused(t(error.message)),
        })
      }
    >
      {t('Check again')}
    </Button>
  )
}

function EndApplication({ opening, onEnd }: Pick<OpeningRowProps, 'opening' | 'onEnd'>) {
  const { t } = useTranslation()
  return (
    <Button size="xs" variant="subtle" aria-label={t('End application: {{tag}}', { tag: opening.tag })} onClick={onEnd}>
      {t('End application')}
    </Button>
  )
}
