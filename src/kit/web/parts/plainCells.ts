import { createContext } from 'react'

/**
 * Inside something that is itself a link or a button (a phone's card): cells write plain words, no links of
 * their own.
 */
export const PlainCells = createContext(false)
