import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../ui/link-button.tsx'
import { Card, Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/state.tsx'

const titles: [prefix: string, title: string][] = [
  ['/dashboard', 'Dashboard'],
  ['/platforms', 'Downloads'],
  ['/requests', 'Requests'],
  ['/documents', 'Documents'],
]

/** A place that the menu names and that a later release fills. It says so instead of pretending. */
export function LaterPage() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const title = titles.find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? 'Home'
  return (
    <Page title={t(title)}>
      <Card>
        <EmptyState
          drawing="soon"
          title={t('This part is not open yet')}
          text={t('It comes with a later release. Everything else works as usual.')}
          action={
            <LinkButton to="/home" variant="default">
              {t('Go to home')}
            </LinkButton>
          }
        />
      </Card>
    </Page>
  )
}
