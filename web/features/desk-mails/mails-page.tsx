import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { stateLabels } from './mail-labels.ts'
import { MailRow } from './mail-row.tsx'
import { TryAll } from './try-all.tsx'
import { type DeadLetter, type MailsAnswer, mails } from './use-mails.ts'

/** Emails that may have arrived are retried only one by one. */
const isTriedWithAll = ({ state, can_be_tried }: DeadLetter) => state === 'failed' && can_be_tried
// Other pages may contain failed emails, too.
const holdsRefused = (answer: MailsAnswer) =>
  Boolean(answer.next ?? answer.previous ?? answer.mails.find(isTriedWithAll))

const controls: ListControls<typeof mails.list, MailsAnswer> = {
  q: { label: 'Search emails', placeholder: 'Address or subject' },
  state: { label: 'Outcome', all: 'Any outcome', labels: stateLabels },
}

/** Emails that were not delivered, newest first, with the cause and the possible actions. */
export function MailsPage({ mayHelp }: { mayHelp: boolean }) {
  const { t } = useTranslation()
  return (
    <DataList
      source={mails}
      to="/mails"
      label={t('Undelivered emails')}
      help={t('Emails that could not be delivered, and why.')}
      controls={controls}
      tools={(answer, { q, state }) =>
        mayHelp && answer && holdsRefused(answer) && state !== 'unknown' && <TryAll q={q} />
      }
      counted={{ all: 'Emails: {{shown}}', more: '{{shown}}+ emails' }}
      turns="times"
      empty={
        <EmptyState
          drawing="list"
          title={t('All emails were delivered')}
          text={t('Failed emails appear here automatically.')}
        />
      }
      row={(mail) => <MailRow mail={mail} mayHelp={mayHelp} />}
    />
  )
}
