import { limits } from '@atrium/contract/limits.ts'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { numberText } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Invite } from './invite.tsx'
import { memberControls } from './member-controls.tsx'
import { MemberLine } from './member-line.tsx'
import { MemberPane } from './member-pane.tsx'
import type { MemberRights } from './member-rights.ts'
import { type DeskMember, members } from './use-members.ts'

type MemberDeskProps = {
  rights: MemberRights
  /** The member's audit trail, for staff with the right to read it. */
  trail: (memberId: string) => ReactNode
  /** The member's account openings. */
  openings: (openings: DeskMember['openings']) => ReactNode
}

/** The brokerage's members, and the selected one. */
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
          ? t('{{shown}}+ members', { shown: numberText(`${total}`) })
          : t('Members: {{shown}}', { shown: numberText(`${total}`) })
      }
      tools={() => mayInvite && <Invite maySell={mayChange} />}
      empty={() => <EmptyState drawing="list" title={t('No members yet')} text={t('Invite the first one.')} />}
      row={(row) => <MemberLine row={row} />}
      detail={(id) => <MemberPane key={id} memberId={id} {...props} />}
    />
  )
}
