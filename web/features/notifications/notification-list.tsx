import { type NotificationGroup, type NotificationView, pathOfTarget } from '@atrium/contract/notifications/calls.ts'
import { knownOr } from '@atrium/contract/unknown-values.ts'
import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import {
  IconBell,
  IconBuildingBank,
  IconFileText,
  IconLifebuoy,
  IconSend,
  IconShieldLock,
  IconWallet,
} from '@tabler/icons-react'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './bell.module.css'
import { useNotificationList, useReading } from './use-notifications.ts'

const icons: Record<NotificationGroup, typeof IconWallet> = knownOr(IconBell, {
  money: IconBuildingBank,
  documents: IconFileText,
  support: IconLifebuoy,
  requests: IconSend,
  accounts: IconWallet,
  security: IconShieldLock,
})
const skeleton = ['first', 'second', 'third']

/** Newest first; a click marks a notification as read and opens its target. */
export function NotificationList({ onGo }: { onGo: (path: string) => void }) {
  const { t } = useTranslation()
  const [isUnreadOnly, setUnreadOnly] = useState(false)
  const { list, showMore } = useNotificationList({ isUnreadOnly })
  const { readOne, readAll } = useReading()
  const pages = list.data?.pages ?? []
  const notifications = pages.flatMap((page) => page.notices)
  const newest = pages[0]
  const press = (notification: NotificationView) => {
    if (!notification.read) readOne(notification._id)
    onGo(pathOfTarget(notification.target))
  }
  return (
    <div data-stack="none">
      <div className={parts.bar}>
        <SegmentedControl
          aria-label={t('Filter notifications')}
          data={[
            { value: 'all', label: t('All') },
            { value: 'unread', label: t('Unread') },
          ]}
          value={isUnreadOnly ? 'unread' : 'all'}
          onChange={(value) => setUnreadOnly(value === 'unread')}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          loading={readAll.isPending}
          disabled={!newest || newest.unread === 0}
          onClick={() => newest && readAll.mutate(newest.number)}
        >
          {t('Mark all as read')}
        </Button>
      </div>
      <div className={parts.scroll} aria-busy={list.isPending}>
        {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
        {list.isPending && (
          <ul className={parts.rows} data-plain aria-hidden>
            {skeleton.map((key) => (
              <li key={key} data-pad="md lg">
                <Skeleton height={12} width="70%" mb={8} />
                <Skeleton height={10} width="90%" />
              </li>
            ))}
          </ul>
        )}
        {list.data && notifications.length === 0 && (
          <EmptyState
            drawing="soon"
            title={isUnreadOnly ? t('No unread notifications') : t('No notifications yet')}
            text={t('Updates about your funds, documents and tickets appear here.')}
          />
        )}
        {notifications.length > 0 && (
          <ul className={parts.rows} data-plain aria-label={t('Notifications')}>
            {notifications.map((notification) => (
              <NotificationRow key={notification._id} notification={notification} onPress={() => press(notification)} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <div className={parts.more}>
            <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={showMore}>
              {t('Show more')}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** The wire has days as `2026-12-10`; they are shown in the reader's format. */
function readable(details: NotificationView['details']): NotificationView['details'] {
  return details.day ? { ...details, day: calendarDay(details.day) } : details
}

function NotificationRow({ notification, onPress }: { notification: NotificationView; onPress: () => void }) {
  const { t } = useTranslation()
  const Icon = icons[notification.group]
  const details = readable(notification.details)
  return (
    <li>
      <button type="button" className={parts.row} onClick={onPress}>
        <Icon className={parts.icon} size={20} stroke={1.5} aria-hidden />
        <span className={parts.words}>
          <bdi className={`${parts.strong} ${notification.read ? parts.read : ''}`}>
            {t(notification.title, details)}
          </bdi>
          {notification.body !== '' && <bdi className={parts.body}>{t(notification.body, details)}</bdi>}
          <span className={parts.quiet}>
            <Ago at={notification.created_at} />
          </span>
        </span>
        {!notification.read && (
          <span className={parts.dot}>
            <span className={parts.srOnly}>{t('Unread')}</span>
          </span>
        )}
      </button>
    </li>
  )
}
