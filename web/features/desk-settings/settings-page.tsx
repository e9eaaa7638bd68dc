import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { Tabs } from '../../ui/lists/tabs.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AccountsSection } from './accounts-section.tsx'
import { BrandSection } from './brand-section.tsx'
import { CompanyBanksSection } from './company-banks-section.tsx'
import { DepositsSection } from './deposits-section.tsx'
import { FeaturesSection } from './features-section.tsx'
import { ListsSection } from './lists-section.tsx'
import { PermissionsSection } from './permissions-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { TaxonomiesSection } from './taxonomies-section.tsx'
import { workspaceQuery } from './use-workspace.ts'
import { VendorsSection } from './vendors-section.tsx'
import { WithdrawalsSection } from './withdrawals-section.tsx'

const sections = [
  { name: 'brand', label: 'Brand', Form: BrandSection },
  { name: 'features', label: 'Features', Form: FeaturesSection },
  { name: 'accounts', label: 'Accounts', Form: AccountsSection },
  { name: 'bank-accounts', label: 'Bank accounts', Form: CompanyBanksSection },
  { name: 'security', label: 'Security', Form: SecuritySection },
  { name: 'deposits', label: 'Deposits', Form: DepositsSection },
  { name: 'withdrawals', label: 'Withdrawals', Form: WithdrawalsSection },
  { name: 'permissions', label: 'Permissions', Form: PermissionsSection },
  { name: 'lists', label: 'Vendors and departments', Form: ListsSection },
  { name: 'vendors', label: 'Settings per vendor', Form: VendorsSection },
  { name: 'taxonomies', label: 'Lists', Form: TaxonomiesSection },
]

/** The brokerage's settings, one section at a time; the URL selects it. */
export function SettingsPage() {
  const { t } = useTranslation()
  const { section = 'brand' } = useParams({ strict: false }) as { section?: string }
  const chosen = sections.find(({ name }) => name === section) ?? sections[0]
  const workspace = useQuery(workspaceQuery)
  return (
    <WorkPage>
      <Tabs
        isWide
        label={t('Sections')}
        tabs={sections}
        chosen={chosen?.name}
        placeOf={(section) => ({ to: '/settings/{-$section}', params: { section } })}
      />
      {workspace.data && chosen ? (
        <chosen.Form key={chosen.name} />
      ) : workspace.error ? (
        <ErrorState error={workspace.error} onRetry={() => workspace.refetch()} holds={t('Nothing was changed.')} />
      ) : (
        <FormSkeleton label={t('Loading the settings')} />
      )}
    </WorkPage>
  )
}
