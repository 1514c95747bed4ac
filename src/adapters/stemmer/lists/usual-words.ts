/** Further usual words in German, French and Spanish, in the form of the other languages. */
export const usualWords = `
: comme bien tres aussi encore_un muy tambien como pero sehr gern gerne danke merci gracias wurde worden gibt gibts jetzt maintenant ahora denn doch noch_mal ist_das est_ce quel_est c_est_quoi jai jaimerais voudrais quisiera quiero puedes podrias mochte will hatte
error : erreur* fehler* error errores
issue problem : probleme* problem* problema*
shop store : boutique* magasin* laden* geschaft shop tienda*
mark update : marque marquer marquez marca marcar markier* kennzeichn*
resolved resolve : resolu* resuelt* gelost* behoben* beheb*
closed close : ferme* geschlossen* cerrad*
unresolved : non_resolu* no_resuelt* ungelost*
incident : incident* vorfall* storung* incidente* panne*
alert rule : alerte* alarm* alerta* warnung*
graph dashboard : tableau_de_bord cuadro_de_mando tablero
monitor : uberwach* surveill* supervis*
metric : metrik* metrique* metrica* kennzahl* messwert*
query run : abfrag* interrog* consult*
memory usage : arbeitsspeicher memoire_vive memoria
slow : langsam* lent*
fast : schnell* rapide* rapid*
down outage : ausgefallen ausfall* caid* tombe_en_panne hors_service
on_call oncall : bereitschaft* rufbereitschaft* dienst d_astreinte astreinte* de_guardia guardia
schedule : dienstplan* schichtplan* planning turno*
subscription : abonnement* abo abos suscripcion*
cancel terminate : kundig* resili* rescind* darse_de_baja da_de_baja
refund : zuruckerstatt* geld_zuruck rembours* reembols* devolucion
dispute chargeback : ruckbuchung* rucklastschrift* litige* contestation disputa* contracargo*
bill invoice : abrechnung* facturer facturez stell_in_rechnung
pay payment link : bezahllink* zahlungslink* lien_de_paiement enlace_de_pago
customer : abnehmer kundin* clientele
product : erzeugnis* marchandise* mercancia*
size variant : variante* grosse* taille* talla*
delivery address shipping : lieferadresse* adresse_de_livraison direccion_de_envio
newsletter : newsletter* infolettre* boletin* rundschreiben*
mail message : courriel* courrier* nachricht* correo*
reply draft : antwortentwurf* brouillon_de_reponse
draft : entwurf* entwurfe brouillon* borrador*
subject : betreff* objet asunto
recipient to : empfanger* destinataire* destinatario*
spam : spam pourriel* basura
star important : wichtig* important* importante*
filter rule : filter* filtre* filtro* regel*
label : etikett* label* libelle* etiqueta*
attachment download : anhang* anhange piece_jointe pieces_jointes adjunto*
inbox : posteingang* boite_de_reception bandeja_de_entrada
calendar event : termin* verabredung* rendez_vous cita* quedada
free busy availability : frei zeit_habe disponibilit* libre* hueco* ocupado* beschaftigt
invitation respond : einladung* zusage* absage* invitation* invitacion* convocatoria*
postpone reschedule : verschieb* verleg* report* decale* repousse* pospon* aplaza* reprograma*
every recurring : jeden jede jeder chaque cada tous_les todos_los
appointment doctor : zahnarzt* dentiste* dentista* arzttermin*
birthday event : geburtstag* anniversaire* cumpleanos
knowledge graph : wissensgraph* graphe* grafo*
entity : entitat* entite* entidad*
relation : relation* relacion* verbindung* lien_entre
observation : beobachtung* observation* observacion*
know search : weisst kennst connais savais conoces sabes
branch : branche* zweig* rama*
commit record : commite committe commiter consign* confirma_los
push : pousse pousser pushe empuja sube
pull request : demande_de_tirage solicitud_de_extraccion
review : begutacht* revue relecture revision
comments : kommentare commentaires comentarios anmerkung*
check status ci : prufung* verification* comprobacion*
repository : repo depot* repositorio* repositoire*
issue create : melde signale reporta
license : lizenz* licence* licencia*
tag release : tag etiquette version
code search : quellcode* code_source codigo_fuente
function : funktion* fonction* funcion*
class : klasse* classe* clase*
test : teste* testet prueba* essai*
deploy : ausroll* rolle_aus deployer desplieg*
build : bau* compil* construy*
log : protokolle logs journal journaux registro*
pod container : pods conteneur* contenedor* container*
replica scale : replikat* instanz* replique* replica* instances
scale escalate : escala
scale : skalier* echelle escala* mise_a_l_echelle
node : knoten* noeud* nodo*
namespace : namensraum* namespace espace_de_noms espacio_de_nombres
restart rollout : neustart* redemarr* reinici*
image : abbild* image* imagen*
file : datei* fichier* archivo* fichero*
folder directory : ordner* verzeichnis* dossier* repertoire* carpeta* directorio*
content read : inhalt* contenu* contenido*
path : pfad* chemin_d_acces ruta_de
overwrite write : uberschreib* ecras* sobrescrib*
download fetch : abruf* hol hole recuper* obten* baja descarg*
website page : internetseite* homepage seite_im_netz page_web pagina_web
newspaper website : zeitung* journal periodico*
link url : verweis* hyperlien* url vinculo*
login : einlogg* anmeld* connecte* connexion inicia_sesion iniciar_sesion
register : registrier* inscri* inscrib* registra*
button click : knopf* bouton* boton* schaltflache*
form fill : formular* formulaire* formulario* kontaktformular*
checkbox : kastchen haken case_a_cocher casilla*
dropdown option : auswahlliste* menu_deroulant desplegable*
keyboard key press : taste* tastatur* touche* clavier tecla* teclado
mouse hover : maus* souris raton
scroll : scroll* blatter* defil* desplaz*
wait for : warte* attend* espera*
image screenshot : bildschirmaufnahme* capture_d_ecran pantallazo*
design file : entwurfsdatei* maquette* diseno*
feedback comments : rueckmeldung* retours comentarios
nearby places : umgebung* nahe* alentours cercanias cerca* proximite
route directions : wegbeschreibung* route* itineraire* indicaciones como_llego como_llegar fahr fahre
bicycle cycling : fahrrad* rad velo* bici*
walk walking : zu_fuss pied a_pie andando
drive driving car : auto autofahrt voiture coche
duration time travel : fahrzeit* reisezeit* dauer* combien_de_temps cuanto_se_tarda cuanto_tarda
elevation : hohe_uber meereshohe* altitud*
zip address : postleitzahl* code_postal codigo_postal
city : stadt* ville* ciudad*
country : land pays pais
time zone : zeitverschiebung* decalage_horaire diferencia_horaria
money amount : geld* argent dinero betrag* montant* importe*
database : datenbank* base_de_donnees base_de_datos bdd
record row : datensatz* datensatze enregistrement* registro*
table : tabelle* tableau* tabla*
column field : spalte* feld* colonne* champ* columna* campo*
document collection : dokument* sammlung* documento* coleccion*
index : index* indice*
task : aufgabe* tache* tarea* todo
complete task close : erledig* abhak* hake termine_la coche coches complet* tacha termina
overdue : uberfallig* en_retard atrasad* vencid*
due date : faelligkeit* falligkeit* date_limite echeance* fecha_limite vencimiento*
project : projekt* projet* proyecto*
section : abschnitt* section* seccion*
subtask : teilaufgabe* unteraufgabe* sous_tache* subtarea*
card : karte karten karten_an carte* tarjeta*
board : brett* board* tableau tablero*
list : liste* listen listes lista*
archive : archivier* archiv* archiva*
member assign : zuweis* zustandig* assign* affect* asign*
channel : kanal* kanale salon* canal* canaux
server guild : discord_server serveur_discord servidor_de_discord
reaction emoji : emoji* daumen pouce pulgar reagi* reaccion*
thread reply : faden* thread* fil hilo*
message post : ankundig* annonc* anunci* verkund*
user profile : profil* perfil*
team : mannschaft* equipe* equipo*
organization : organisation* organizacion* verband*
project create : anlegen_projekt
workspace : arbeitsbereich* workspace espace_de_travail espacio_de_trabajo
page : seite* page* pagina*
paragraph block append : absatz* paragraphe* parrafo*
minutes meeting notes : protokoll* compte_rendu acta
title : titel* titre* titulo*
template : vorlage* modele* plantilla*
bookmark : lesezeichen* favori* signet* marcador*
photo : foto* photo*
song : lied* chanson* cancion*
light turn : licht* lumiere* luz luces lampe* lampara*
temperature : temperatur* temperature* temperatura*
weather : wetter* meteo* tiempo_hace
are there : hay il_y_a gibt_es
share permission : freigib* gib_frei donne_acces partage* comparte*
remove permission : entzieh* zugriff_weg retire_l_acces quita_acceso
reorder position : umordn* reihenfolge* reordonne* reordena*
append end : anhang_an unten_an a_la_fin al_final ans_ende
rename : heisst renomme* rebautiz*
protect lock : schutz* sperr* protege* verrouill* bloque*
format : formatier* mise_en_forme formato
bold style : fett gras negrita
bullet list : aufzahlung* puce* vineta*
presentation slides : prasentation* presentation* presentacion*
slide : folie* diapositive* diapositiva*
spreadsheet : tabellenblatt* feuille_de_calcul hoja_de_calculo
sheet tab : blatt reiter onglet* pestana*
cell : zelle* cellule* celda*
copy : abschrift* kopie copie copia*
diary calendar : terminkalender* agenda
sprint issues : sprint* vorgang* vorgange
backlog : ruckstand*
worklog time : aufwand* zeitaufwand* stunden heures_passees horas_de_trabajo
assign : zuweis* zuordne* ordne_zu attribue* asigna*
watch : beobacht* suivre seguir
link relation : verknupf* verbinde* relie* lie enlaza* vincula*
subtitle transcript : untertitel* sous_titres subtitulo*
subscriber : abonnent* abonne* suscriptor*
trending popular : angesagt* tendance* tendencia*
comments post : beitrag* publication* publicacion*
web search : im_internet sur_internet en_internet
news web search : neues_zu gibt_es_neues du_nouveau que_hay_de_nuevo novedades
snow weather forecast : neiger neigera schneien schneit nevar nieva gele gefriert
sun weather forecast : scheint sonnig ensoleille soleado
`;
