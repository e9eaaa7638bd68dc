import { limits } from '@atrium/contract/limits.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { numberText } from '../../ui/text/format.ts'
import { Invite } from './invite.tsx'
import { memberControls } from './member-controls.tsx'
import { MemberLine } from './member-line.tsx'
import { MemberPane } from './member-pane.tsx'
import type { MemberRights } from './member-rights.ts'
import { type DeskMember, members } from './use-members.ts'

type MemberDeskProps = {
  rights: MemberRights
  /** What happened to the member, for those who may read it. */
  trail: (memberId: string) => ReactNode
  /** What the member asked to have opened. */
  openings: (openings: DeskMember['openings']) => ReactNode
}

/** The brokerage's members, and the one that is looked at. */
export function MemberDesk(props: MemberDeskProps) {
  const { t } = useTranslation()
  const { mayInvite, mayChange } = props.rights
  return (
    <PaneList
      source={members}
      to="/members/{-$memberId}"
      param="memberId"
      label={t('Members')}
      detailLabel={t('Member')}
      controls={memberControls}
      counted={({ total, total_is_least: isLeast }) =>
        total >= limits.countedMax || isLeast === true
          ? t('{{shown}} members and more', { shown: numberText(`${total}`) })
          : t('Members: {{shown}}', { shown: numberText(`${total}`) })
      }
      tools={mayInvite && <Invite maySell={mayChange} />}
      empty={() => <EmptyState drawing="list" title={t('No members yet')} text={t('Invite the first one.')} />}
      row={(row) => <MemberLine row={row} />}
      detail={(id) => <MemberPane key={id} memberId={id} {...props} />}
    />
  )
}
