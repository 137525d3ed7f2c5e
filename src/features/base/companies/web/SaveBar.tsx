import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './companies.css'
import type { CompanyForm } from './useCompanyForm.ts'

/** Save stays at hand at the bottom while something is changed. */
export function SaveBar({ form }: { form: CompanyForm }) {
  const t = useWords()
  const save = () => void form.save()
  useKeys({ 'mod+s': save, 'mod+Enter': save })
  if (!form.dirty && !form.rest) return null
  return (
    <div className="co-save" role="region" aria-label={t('companies.saveBar')}>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <div className="row">
        <Button kind="primary" busy={form.busy} keys="Ctrl S" onPress={save}>
          {t('companies.save')}
        </Button>
        <Button kind="quiet" onPress={form.undo}>
          {t('companies.undo')}
        </Button>
      </div>
    </div>
  )
}
