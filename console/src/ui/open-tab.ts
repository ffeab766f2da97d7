import { createContext } from "react";

/** Tells the page which of the tabs below its title is open: the title of the browser's tab names it. */
export const OpenTabContext = createContext<((label: string | undefined) => void) | undefined>(undefined);
