import { Download, FileSpreadsheet, FileUp, Files, Hash, Package, Users } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { callFile, failureText, useCall } from '#kit/web/calls/call.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { callsOf, resourceNamed } from '#kit/web/screens/resources.ts'
import { access } from '#kit/web/session/guard.ts'
import { mayDo, useCan, useModules, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { allScreens } from '#kit/web/shell/menu.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { JobsCard } from '#features/base/jobs/web/index.tsx'
import { importable, importTemplate } from '../endpoints.ts'
import { DueDays, Percents, Vat } from './Calculators.tsx'
import './imports.css'
import { Past } from './Past.tsx'
import { registerTitle } from './words.ts'

/** Actions on many records at once: ticked rows of a list, or a separate dialog. */
const bulk = [
  { key: 'documents', path: '/invoice/documents', icon: Files },
  { key: 'customers', path: '/invoice/InvoiceCustomers', icon: Users },
  { key: 'items', path: '/invoice/items', icon: Package },
] as const

/** What helps with many records at once, and what is worked out on the side. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const registers = useCall(importable, {}, { enabled: may('imports.run') })
  // The number of registers is not known before: what is below them waits and does not jump.
  if (registers.isPending && may('imports.run'))
    return (
      <>
        <PageHeader title={t('screens.tools')} />
        <Skeleton lines={12} />
      </>
    )
  return (
    <>
      <PageHeader title={t('screens.tools')} />
      <div className="im-tools">
        {registers.data && <Registers rows={registers.data.rows} />}
        <Bulk />
        <Vat />
        <DueDays />
        <Percents />
        <div className="wide empty:hidden">
          <JobsCard />
        </div>
        {may('imports.run') && (
          <div className="wide">
            <Past />
          </div>
        )}
      </div>
    </>
  )
}

/** Every register one may change: in from a file, out to a file. */
function Registers({ rows }: { rows: OutputOf<typeof importable>['rows'] }) {
  const t = useWords()
  const fail = (e: unknown) => void banner.error(failureText(t, e))
  const out = (name: string, format: 'xlsx' | 'csv') => {
    const resource = resourceNamed(name)
    if (resource) callFile(callsOf(resource).export, { format }).catch(fail)
  }
  if (rows.length === 0) return null
  return (
    <Card title={t('imports.registers')} className="wide">
      <ul className="im-registers">
        {rows
          .map((one) => ({ resource: one.resource, title: registerTitle(t, one) }))
          .map(({ resource, title }) => (
            <li key={resource}>
              <span className="grow">{title}</span>
              <Button kind="quiet" size="s" icon={FileUp} href={`/invoice/tools/import/${resource}`}>
                {t('imports.offer')}
              </Button>
              <Menu
                label={t('imports.exportOf', { register: title })}
                trigger={
                  <Button
                    kind="quiet"
                    size="s"
                    icon={Download}
                    label={t('imports.exportOf', { register: title })}
                  />
                }
                items={[
                  ...(resourceNamed(resource)
                    ? [
                        {
                          key: 'xlsx',
                          label: t('kit.lists.xlsx'),
                          icon: FileSpreadsheet,
                          onPress: () => out(resource, 'xlsx'),
                        },
                        {
                          key: 'csv',
                          label: t('kit.lists.csv'),
                          icon: Download,
                          onPress: () => out(resource, 'csv'),
                        },
                      ]
                    : []),
                  {
                    key: 'template',
                    label: t('imports.template'),
                    icon: FileSpreadsheet,
                    onPress: () => void callFile(importTemplate, { resource }).catch(fail),
                  },
                ]}
              />
            </li>
          ))}
      </ul>
    </Card>
  )
}

function Bulk() {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  const isOpen = (path: string) => {
    const screen = allScreens().find((one) => one.path.toLowerCase() === path.toLowerCase())
    return (
      screen !== undefined && session !== undefined && access(screen, session, mayDo, modules).kind === 'open'
    )
  }
  const shown = bulk.filter(({ path }) => isOpen(path))
  const numbers = isOpen('/invoice/settingsdoc')
  const uniform = isOpen('/invoice/tools/uniform')
  if (shown.length === 0 && !numbers && !uniform) return null
  return (
    <Card title={t('imports.bulk.title')}>
      <Rows label={t('imports.bulk.title')}>
        {shown.map(({ key, path, icon }) => (
          <Link key={key} href={path}>
            <span className="k-tile">
              <Icon of={icon} />
            </span>
            <span className="grow">
              <span className="t">{t(`imports.bulk.${key}`)}</span>
              <span className="hint text-12">{t(`imports.bulk.${key}Text`)}</span>
            </span>
          </Link>
        ))}
        {uniform && (
          <Link href="/invoice/tools/uniform">
            <span className="k-tile">
              <Icon of={FileUp} />
            </span>
            <span className="grow">
              <span className="t">{t('screens.uniformImport')}</span>
              <span className="hint text-12">{t('imports.bulk.uniformText')}</span>
            </span>
          </Link>
        )}
        {numbers && (
          <Link href="/invoice/settingsdoc">
            <span className="k-tile">
              <Icon of={Hash} />
            </span>
            <span className="grow">
              <span className="t">{t('imports.bulk.numbers')}</span>
              <span className="hint text-12">{t('imports.bulk.numbersText')}</span>
            </span>
          </Link>
        )}
      </Rows>
    </Card>
  )
}
