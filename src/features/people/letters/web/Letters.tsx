import { Button } from '#kit/web/parts/Button.tsx'
import { Plus } from 'lucide-react'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { letters, letterTemplates } from '../letters.ts'
import './dress.tsx'

const newLetter = '/invoice/InvoiceDocumentLetter/new'

/** Letters that were written and sent, and the templates they begin from. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const templates = query.tab === 'templates'
  return (
    <>
      <PageHeader
        title={t('letters.title')}
        sub={t(templates ? 'letters.templatesText' : 'letters.sub')}
        actions={
          may(letters.allow.change) &&
          !templates && (
            <Button kind="primary" icon={Plus} href={newLetter}>
              {t('letters.new')}
            </Button>
          )
        }
      >
        <Views
          label={t('letters.parts')}
          value={templates ? 'templates' : 'letters'}
          onChange={(next) => setQuery({ tab: next === 'templates' ? next : undefined })}
          controls="letters-part"
          views={[
            { key: 'letters', label: t('letters.title') },
            { key: 'templates', label: t('letterTemplates.title') },
          ]}
        />
      </PageHeader>
      <div
        id="letters-part"
        role="tabpanel"
        aria-label={t(templates ? 'letterTemplates.title' : 'letters.title')}
      >
        {templates ? (
          <ListScreen key="templates" embedded archive resource={letterTemplates} />
        ) : (
          <ListScreen key="letters" embedded resource={letters} newHref={false} />
        )}
      </div>
    </>
  )
}
