import type { Destination } from "#destinations/define-destination.ts";
import type { MailServer } from "#destinations/delivery/send-mail.ts";
import type { DeliverySettings } from "#destinations/delivery/delivery-attempt.ts";
import type { GoogleAccess } from "#operations/destinations/google-access.ts";
import type { Services } from "#operations/context.ts";
import type { FileLinks } from "#operations/ports.ts";

/** How this instance sends mails to people. */
export interface MailSettings {
  readonly server: MailServer;
  readonly from: string;
  /** What people know this instance by. */
  readonly serviceName: string;
}

/** The services that a delivery needs. */
export interface DeliveryServices extends GoogleAccess {
  readonly destinations: readonly Destination[];
  readonly settings: DeliverySettings;
  readonly links: FileLinks;
  /** The service's public URL, for links to files. */
  readonly publicUrl: string;
  /** Undefined when no mail is sent to people. */
  readonly mail: MailSettings | undefined;
  /** Whom push services of browsers can tell of problems, as mailto: or https:. */
  readonly pushContact: string;
  /** For what people write to agents in channels; known once the service is put together. */
  readonly operations: () => Services;
}
