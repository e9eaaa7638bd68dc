import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BrandLogo } from '../../ui/brand-logo.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import { places } from '../places.ts'
import { useBrand } from '../use-brand.ts'
import parts from './shell.module.css'

export function Sidebar() {
  const { t } = useTranslation()
  const brand = useBrand()
  return (
    <aside className={parts.sidebar}>
      <div className={parts.brandRow}>
        <Link to="/deposits" className={parts.brand} aria-label={t('{{brand}} desk', { brand: brand.name })}>
          <BrandLogo name={brand.name} logo={brand.logo_url} />
        </Link>
        <Tag label={t('Desk')} />
      </div>
      <nav className={parts.menu} aria-label={t('Main menu')}>
        {places.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={parts.entry}
            activeProps={{ className: parts.here, 'aria-current': 'page' }}
          >
            <Icon size={18} stroke={1.5} aria-hidden />
            {t(label)}
          </Link>
        ))}
      </nav>
    </aside>
  )
}
