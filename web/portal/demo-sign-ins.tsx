import { useTranslation } from '../ui/text/use-translation.ts'
import parts from './pages/login-page.module.css'

/** Constants of the demo brokerage; the server says whether this workspace is the demo. */
const password = 'Harbour-2026'
const members = [
  { email: 'member@atrium.demo', about: 'An active client' },
  { email: 'second@atrium.demo', about: 'Another client' },
  { email: 'new@atrium.demo', about: 'Just joined' },
  { email: 'verifying@atrium.demo', about: 'In verification' },
  { email: 'asia@atrium.demo', about: 'Accounts in yuan and dong' },
]

export function DemoSignIns({ onChoose }: { onChoose: (signIn: { email: string; password: string }) => void }) {
  const { t } = useTranslation()
  return (
    <section className={parts.demo} aria-label={t('Demo sign-ins')}>
      <p>{t('This is a demo. Fill in one of its members:')}</p>
      <ul>
        {members.map(({ email, about }) => (
          <li key={email}>
            <button type="button" onClick={() => onChoose({ email, password })}>
              <span>{email}</span>
              <span className={parts.about}>{t(about)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
