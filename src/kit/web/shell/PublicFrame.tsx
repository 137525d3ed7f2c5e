import { Outlet } from '@tanstack/react-router'
import { Moon, Sun } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { enterBy } from '../routes/cameBack.ts'
import { mainPath } from '../session/guard.ts'
import { Button } from '../parts/Button.tsx'
import { useScreen } from '../routes/screenNow.ts'
import { useSession } from '../session/session.ts'
import { useDark } from '../theme.ts'
import { useBrand } from '../words/wording.ts'
import { useWords } from '../words/words.tsx'
import { Said } from './Said.tsx'
import { LanguageMenu } from './LanguageMenu.tsx'
import { Logo } from './Logo.tsx'
import { Offline } from './Offline.tsx'

/** Light or dark. */
export function ThemeButton() {
  const t = useWords()
  const [dark, setDark] = useDark()
  return (
    <Button
      kind="quiet"
      icon={dark ? Sun : Moon}
      label={t(dark ? 'kit.shell.light' : 'kit.shell.dark')}
      onPress={() => setDark(!dark)}
    />
  )
}

/**
 * The slim frame of pages that are open to everyone: logo, language, theme, the way in; the legal pages at
 * the foot.
 */
export function PublicFrame() {
  const t = useWords()
  const brand = useBrand()
  const session = useSession()
  const screen = useScreen()
  // A person who requested a page of a business comes back to it.
  const isOfBusiness = screen?.rule !== undefined || screen?.inside === true
  return (
    <div className="s-public">
      <header className="s-top">
        <Link
          className="s-brand"
          href={session ? mainPath(session) : '/logininvoice'}
          aria-label={brand.name}
        >
          <Logo />
          <span className="name">{brand.name}</span>
        </Link>
        <span className="grow" />
        <ThemeButton />
        <LanguageMenu full />
        {!session && (
          <span className="s-wide-only">
            <Button {...(isOfBusiness ? { onPress: () => enterBy('/login') } : { href: '/login' })}>
              {t('kit.shell.login')}
            </Button>
          </span>
        )}
      </header>
      <Offline />
      <main id="content" tabIndex={-1} className="s-public-main">
        <Said />
        <Outlet />
      </main>
      <PublicFoot />
    </div>
  )
}

/**
 * Terms, privacy, accessibility: on every page a stranger sees. A page of a business says nothing of our prices: there
 * they would be taken for those of the business.
 */
export function PublicFoot({ ofBusiness = false }: { ofBusiness?: boolean }) {
  const t = useWords()
  const brand = useBrand()
  return (
    <footer className="s-foot">
      <nav aria-label={t('kit.shell.legal')}>
        <Link href="/termsinvoice">{t('screens.terms')}</Link>
        <Link href="/privacy">{t('screens.privacy')}</Link>
        <Link href="/nagish">{t('screens.accessibility')}</Link>
        {!ofBusiness && <Link href="/pricing">{t('screens.pricing')}</Link>}
        {brand.support && <a href={`mailto:${brand.support}`}>{brand.support}</a>}
      </nav>
    </footer>
  )
}
