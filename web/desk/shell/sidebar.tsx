import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BrandLogo } from '../../ui/brand-logo.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import { useBrand } from '../use-brand.ts'
import { PlacesMenu } from './menu.tsx'
import parts from './shell.module.css'

export function Sidebar() {
  const { t } = useTranslation()
  const brand = useBrand()
  return (
    <aside className={parts.sidebar}>
      <div className={parts.brandRow}>
        <Link to="/" className={parts.brand} aria-label={t('{{brand}} desk', { brand: brand.name })}>
          <BrandLogo name={brand.name} logo={brand.logo_url} />
        </Link>
        <Tag label={t('Desk')} />
      </div>
      <PlacesMenu />
    </aside>
  )
}
