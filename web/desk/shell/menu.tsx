import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { placesOf } from '../places.ts'
import parts from './shell.module.css'

/** The places that the person's role opens, group by group. */
export function PlacesMenu() {
  const { t } = useTranslation()
  const groups = placesOf(useDeskUser().type)
  return (
    <nav className={parts.menu} aria-label={t('Main menu')}>
      {groups.map(({ label, places }) => (
        <section key={label} className={parts.group} aria-label={t(label)}>
          {groups.length > 1 && <h2 className={parts.groupTitle}>{t(label)}</h2>}
          {places.map(({ to, label: name, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={parts.entry}
              activeProps={{ className: parts.here, 'aria-current': 'page' }}
            >
              <Icon size={18} stroke={1.5} aria-hidden />
              {t(name)}
            </Link>
          ))}
        </section>
      ))}
    </nav>
  )
}
