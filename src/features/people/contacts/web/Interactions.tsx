import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { useNews } from '#kit/web/calls/live.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { show } from '#kit/web/parts/shown.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { RecordSheet } from '#kit/web/screens/RecordSheet.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { interactions } from '../contacts.ts'
import { ContactSettings } from './ContactSettings.tsx'
import './dress.tsx'

/** Who spoke with whom, newest first. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const [isNew] = useState(query.new === '1')
  useNews(['interactions'], () => void refreshResource(interactions))
  return (
    <>
      <ListScreen
        resource={interactions}
        actions={
          may('contacts.settings') && (
            <Button
              kind="quiet"
              icon={Settings2}
              onPress={() => show((close) => <ContactSettings onClose={close} />)}
            >
              {t('interactions.settings.open')}
            </Button>
          )
        }
      />
      {isNew && query.new === '1' && (
        <RecordSheet
          resource={interactions}
          onClose={() => setQuery({ new: undefined })}
          onSaved={() => {
            setQuery({ new: undefined })
            void refreshResource(interactions)
          }}
        />
      )}
    </>
  )
}
