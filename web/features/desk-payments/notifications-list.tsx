import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { dayControl } from '../../ui/lists/day-control.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { NotificationRow } from './notification-row.tsx'
import { kindLabels } from './payment-labels.ts'
import { type NotificationsAnswer, notifications } from './use-payments.ts'

const controls: ListControls<typeof notifications.list, NotificationsAnswer> = {
  q: { label: 'Number', placeholder: 'Ours or theirs' },
  provider: {
    label: 'Provider',
    all: 'Any provider',
    from: ({ providers }) => providers.map(({ app_uid, name }) => ({ _id: app_uid, name })),
  },
  kind: { label: 'Verdict', all: 'Any verdict', words: kindLabels },
  since: ({ search: { since: from, until: to }, change }) =>
    dayControl({ search: { from, to }, change: ({ from, to }) => change({ since: from, until: to }) }),
}

/** All notifications received from any sender, newest first. */
export function NotificationsList({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  return (
    <DataList
      source={notifications}
      to="/payments/{-$part}"
      params={{ part: 'notifications' }}
      label={t('Notifications')}
      isPart
      controls={controls}
      counted={{ all: 'Notifications: {{shown}}', more: '{{shown}} notifications and more' }}
      turns="times"
      empty={
        <EmptyState
          drawing="list"
          title={t('No notifications yet')}
          text={t('New entries appear here automatically.')}
        />
      }
      row={(row) => <NotificationRow notification={row} mayDecide={mayDecide} />}
    />
  )
}
