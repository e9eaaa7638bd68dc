import { useTranslation } from 'react-i18next'
import { Ago } from '../../ui/moment.tsx'
import { StatusPill, Tag } from '../../ui/status-pill.tsx'
import type { Meaning } from '../../ui/theme.ts'
import parts from './member-detail.module.css'
import type { DeskMember } from './use-members.ts'

type Opening = DeskMember['openings'][number]
type Words = { meaning: Meaning; label: string; about?: string }

const words: Record<Opening['state'], Words> = {
  ready: { meaning: 'blue', label: 'Being opened' },
  sending: { meaning: 'blue', label: 'Being opened' },
  unknown: {
    meaning: 'blue',
    label: 'Being checked',
    about:
      'The platform gave no answer. The account is looked for by its tag, at least once a minute, until it is found or proven not to be there. Nothing is sent again, and the member is told by mail.',
  },
  done: { meaning: 'green', label: 'Opened' },
  rejected: { meaning: 'red', label: 'Refused', about: 'The platform said no. The member may try again at once.' },
  not_executed: {
    meaning: 'grey',
    label: 'Not sent',
    about: 'It never reached the platform. The member may try again.',
  },
  not_opened: {
    meaning: 'amber',
    label: 'Not opened',
    about:
      'Looked for and not there. The member was told by mail and may try again. It is looked for once more three hours later.',
  },
}

/** What the member asked to have opened and what became of it; nothing to be done by hand, so it says why. */
export function Openings({ openings }: { openings: Opening[] }) {
  const { t } = useTranslation()
  return (
    <ul className={parts.rows}>
      {openings.map((opening) => {
        const { meaning, label, about } = words[opening.state]
        const isMoving = ['ready', 'sending', 'unknown'].includes(opening.state)
        return (
          <li key={opening._id} className={parts.row}>
            <span className={parts.rowName}>
              {opening.platform} {opening.login ?? opening.group}{' '}
              <Tag label={opening.kind === 'live' ? t('Live') : t('Demo')} isStrong={opening.kind === 'live'} />
            </span>
            <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} />
            <span className={parts.rowMore}>
              {t('1:{{leverage}}', { leverage: opening.leverage })} {'·'} <Ago at={opening.created_at} />
              {about && ` · ${t(about)}`}
              {opening.problem && ` · ${t('Cause: {{problem}}', { problem: opening.problem })}`}
              {opening.platform_text && ` · ${t('The platform said: {{text}}', { text: opening.platform_text })}`}
              {meaning !== 'green' && ` · ${t('Tag {{tag}}', opening)}`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
