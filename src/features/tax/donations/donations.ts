export const reportStates = ['waiting', 'granted', 'refused', 'away', 'notNeeded'] as const
